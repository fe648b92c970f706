"""A tied autoencoder: what reads a code out of an image also paints the image from it."""

from codegen.schema import Dim, donated, f32, field, impl, share

pixels = Dim()
codes = Dim()  # numbers that describe an image

class Dictionary:
    """What the codes mean: one image a code."""

    atoms: donated[f32[codes, pixels]] = field(init="glorot_normal")

class Encoder:
    """From images to codes."""

    dictionary: donated[Dictionary]
    mean: donated[f32[pixels]] = field(init="zeros")

    @impl("examples.autoencoder:encode")
    def encode(self, images: f32[..., pixels]) -> f32[..., codes]: ...

class Decoder:
    """From codes to images."""

    dictionary: donated[Dictionary]
    mean: donated[f32[pixels]] = field(init="zeros")

    @impl("examples.autoencoder:decode")
    def decode(self, code: f32[..., codes]) -> f32[..., pixels]: ...

class Separate:
    """Of this nothing says that encoder and decoder may hold one dictionary."""

    encoder: donated[Encoder]
    decoder: donated[Decoder]

class Tied:
    """One dictionary, and one mean image, in three and in two places."""

    dictionary: donated[Dictionary]
    encoder: donated[Encoder]
    decoder: donated[Decoder]
    share(dictionary, encoder.dictionary, decoder.dictionary)
    share(encoder.mean, decoder.mean)
