from codegen.schema import *
