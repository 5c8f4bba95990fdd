"""Cuts the images of an MNIST-like data set into patches and writes them as rows of sets.

usage: patches.py FOLDER IMAGES TESTS OUTPUT

FOLDER has the four IDX files of the data set (gzip). Writes OUTPUT/train.csv with the patches of the first IMAGES
training images, and OUTPUT/test.csv with those of the first TESTS test images: 7x7 pixels every 3 pixels, 64 patches per
image of 28x28 pixels. Columns: the image, its label, the position of the patch, and its 49 pixels.
"""
import gzip
import os
import struct
import sys

SIZE, STEP = 7, 3


def read(path):
    with gzip.open(path, "rb") as file:
        data = file.read()
    dimensions = data[3]
    shape = struct.unpack(">" + "I" * dimensions, data[4 : 4 + 4 * dimensions])
    return shape, data[4 + 4 * dimensions :]


def write(folder, part, count, path):
    (images, height, width), pixels = read(f"{folder}/{part}-images-idx3-ubyte.gz")
    labels = read(f"{folder}/{part}-labels-idx1-ubyte.gz")[1]
    with open(path, "w") as out:
        names = [f"p{i}" for i in range(SIZE * SIZE)]
        out.write(",".join(["image", "label", "x", "y"] + names) + "\n")
        for image in range(min(count, images)):
            start = image * height * width
            rows = [pixels[start + r * width : start + (r + 1) * width] for r in range(height)]
            for y in range(0, height - SIZE + 1, STEP):
                for x in range(0, width - SIZE + 1, STEP):
                    patch = b"".join(row[x : x + SIZE] for row in rows[y : y + SIZE])
                    head = f"{image},{labels[image]},{x},{y},"
                    out.write(head + ",".join(map(str, patch)) + "\n")


if __name__ == "__main__":
    folder, images, tests, output = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
    os.makedirs(output, exist_ok=True)
    write(folder, "train", images, f"{output}/train.csv")
    write(folder, "t10k", tests, f"{output}/test.csv")
