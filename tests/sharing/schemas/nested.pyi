"""What a class shares leads through what the classes that it holds share."""

from codegen.schema import Dim, donated, f32, share

v = Dim()

class Embed:
    table: donated[f32[v]]

class Decoder:
    embed: donated[Embed]
    head: donated[f32[v]]
    share(embed.table, head)

class Tied(draft=True):
    """The embedding is lent to a decoder, which lends its table to the head."""

    embed: donated[Embed]
    decoder: donated[Decoder]
    share(embed, decoder.embed)

class HeadOwns:
    embed: donated[Embed]
    head: donated[f32[v]]
    share(head, embed.table)

class Outermost(draft=True):
    """The table is the head of the inner class; but the outer one owns the embedding."""

    inner: donated[HeadOwns]
    embed: donated[Embed]
    share(embed, inner.embed)

class Plain:
    embed: donated[Embed]
    other: donated[Embed]
    head: donated[f32[v]]

class Lent:
    embed: donated[Embed]
    other: donated[Embed]
    head: donated[f32[v]]
    share(other.table, head)

class OfOne(draft=True):
    """Both embeddings of one object are one."""

    part: donated[Lent]
    share(part.embed, part.other)

class OfPart:
    part: donated[Plain]
    share(part.embed.table, part.head)

class Lends(draft=True):
    """What the inner class lends comes from here."""

    embed: donated[Embed]
    inner: donated[OfPart]
    share(embed, inner.part.embed)

class Pair:
    one: donated[Plain]
    other: donated[Plain]
    share(one.embed, other.embed)

class Same(draft=True):
    """One lends an embedding to the other; and here the other one owns it, and all it has."""

    pair: donated[Pair]
    share(pair.other, pair.one)

class Tables:
    first: donated[Embed]
    second: donated[Embed]
    share(first.table, second.table)

class Crossed(draft=True):
    """Each of the two lends to the other, and within both there is one table."""

    one: donated[Tables]
    other: donated[Tables]
    share(one.first, other.first)
    share(other.second, one.second)

class Twice(draft=True):
    """Where it owns them, nothing says that the two tables are one."""

    both: donated[Both]
    holder: donated[Holder]
    share(both, holder.both)

class Both:
    first: donated[f32[v]]
    second: donated[f32[v]]

class Holder:
    both: donated[Both]
    share(both.first, both.second)

class Held(draft=True):
    """The decoder may be of a subclass, which shares more."""

    embed: donated[Embed]
    part: donated[Plain]
    share(embed, part.embed)

class More(Plain):
    # Declared anew, for checkers that look for these names in the class alone.
    embed: donated[Embed]
    other: donated[Embed]
    head: donated[f32[v]]
    share(head, embed.table, other.table)
