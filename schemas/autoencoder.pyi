"""A tied autoencoder: the encoder and the decoder use the same dictionary."""

from codegen.schema import Dim, donated, f32, field, impl, share

pixels = Dim()
codes = Dim()  # numbers that describe an image

class Dictionary:
    """One image for each number of a code."""

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
    """An encoder and a decoder that do not declare a shared dictionary."""

    encoder: donated[Encoder]
    decoder: donated[Decoder]

class Tied:
    """One dictionary at three paths, and one mean image at two paths."""

    dictionary: donated[Dictionary]
    encoder: donated[Encoder]
    decoder: donated[Decoder]
    share(dictionary, encoder.dictionary, decoder.dictionary)
    share(encoder.mean, decoder.mean)
