from codegen.schema import Dim

nx = Dim()
