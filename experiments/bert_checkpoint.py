"""The pretrained checkpoint of chapter 09: where it is, its special tokens, and the model read from it."""

from pathlib import Path

from lmcourse.models import BERTConfig, MaskedLM
from lmcourse.tokenizers import Vocabulary
from lmcourse.training import load_checkpoint, read_recipe

CHECKPOINT = Path("chapters/checkpoints/bert")
SPECIALS = ("[PAD]", "<unk>", "[CLS]", "[SEP]", "[MASK]")


def pretrained_words() -> tuple[MaskedLM, Vocabulary]:
    """Return the masked language model and its vocabulary."""
    recipe = read_recipe(CHECKPOINT)
    model = MaskedLM(BERTConfig(**recipe["config"]))
    load_checkpoint(CHECKPOINT, model)
    return model, Vocabulary(recipe["vocabulary"])
