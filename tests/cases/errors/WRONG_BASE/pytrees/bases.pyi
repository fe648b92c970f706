import equinox as eqx
import flax
import optax
from equinox import Module
from flax import linen, struct

from codegen.schema import dynamic, f32

Base = eqx.Module

class A(eqx.Module):
    t: dynamic[f32]

class B(Module):
    t: dynamic[f32]

class C(flax.struct.PyTreeNode):
    t: dynamic[f32]

class D(struct.PyTreeNode):
    t: dynamic[f32]

class E(linen.Module):
    t: dynamic[f32]

class F(optax.OptState):
    t: dynamic[f32]

class G(Base):
    t: dynamic[f32]
