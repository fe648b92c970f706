from codegen.schema import Dim

heat.nx = Dim()
