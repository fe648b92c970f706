from codegen.schema import Dim

ny = Dim()
