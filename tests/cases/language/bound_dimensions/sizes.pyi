from codegen.schema import Dim

rows = Dim(mesh="rows")  # of a table
