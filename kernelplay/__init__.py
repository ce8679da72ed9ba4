"""kernelplay: a playground for kernel methods. The public API: `kernel`, `fit`, `load`, `save`, `render`."""

__version__ = "0.1.0"
