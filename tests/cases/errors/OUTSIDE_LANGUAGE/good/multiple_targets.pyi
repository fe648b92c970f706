from codegen.schema import Dim

nx = Dim()
ny = Dim()
