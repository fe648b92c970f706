from codegen.schema import Dim

nx = ny = Dim()
