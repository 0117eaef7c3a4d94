"""Why a verdict holds: the contrasting evidence, its frozen copy, and the sentence a person reads."""
