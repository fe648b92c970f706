from concurrent.futures import Executor

from codegen.schema import dynamic, identity

class Model:
    executor: dynamic[identity[Executor]]
