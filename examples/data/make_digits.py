#!/usr/bin/env python3
"""Makes digits-currents.npy: handwritten digits that move past a line of 64 receptors.

    pip install scikit-learn
    python make_digits.py            # writes digits-currents.npy beside this script

Six images of the "optical recognition of handwritten digits" data set (8 x 8 pixels of 0 to 16), 3 1 4 1 5 9, pass one
after the other. Neuron n sees row n of what is in front of it, so that a raster of its spikes shows the digits again.
An image is enlarged by linear interpolation; full ink gives a current of 3. With it, a LIF neuron with tau = 2 and a
threshold of 1 fires in every step where the current is 2 or more, now and then between 1 and 2, never below.
"""
from pathlib import Path

import numpy as np
from sklearn.datasets import load_digits

NEURONS = 64    # the line of receptors
MARGIN = 4      # rows left blank above and below an image
STEPS = 56      # steps that an image takes to pass
GAP = 4         # empty steps after each image
PEAK = 3.0      # current of full ink
# Images of 3 1 4 1 5 9 by their place in the data set.
IMAGES = {45: 3, 56: 1, 64: 4, 90: 1, 32: 5, 92: 9}


def enlarged(image: np.ndarray, rows: int, columns: int) -> np.ndarray:
    """Linear interpolation between pixel centres; beyond the outer centres the outer pixel goes on."""
    for axis, size in ((0, rows), (1, columns)):
        old = image.shape[axis]
        at = np.clip((np.arange(size) + 0.5) * old / size - 0.5, 0, old - 1)
        below = np.floor(at).astype(int)
        above = np.minimum(below + 1, old - 1)
        part = (at - below).reshape((-1, 1) if axis == 0 else (1, -1))
        image = np.take(image, below, axis) * (1 - part) + np.take(image, above, axis) * part
    return image


def main() -> None:
    digits = load_digits()
    pieces = [np.zeros((GAP, NEURONS))]
    for index, digit in IMAGES.items():
        assert digits.target[index] == digit
        picture = enlarged(digits.images[index] / 16.0, NEURONS - 2 * MARGIN, STEPS)
        pieces += [np.pad(picture.T, ((0, 0), (MARGIN, MARGIN))), np.zeros((GAP, NEURONS))]
    currents = (PEAK * np.concatenate(pieces)).astype(np.float32)
    np.save(Path(__file__).with_name("digits-currents.npy"), currents)
    print(f"digits-currents.npy: {currents.shape[0]} steps x {currents.shape[1]} neurons, up to {currents.max():.3g}")


if __name__ == "__main__":
    main()
