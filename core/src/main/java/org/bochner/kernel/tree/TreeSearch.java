package org.bochner.kernel.tree;

import java.util.Arrays;

/** Finds numbers, such as points or boxes, in the nodes of a tree that are near. Threads: not safe. */
abstract class TreeSearch {
    final PointTree tree;

    /** The numbers found by the last search, in the order of the tree. */
    int[] found = new int[64];

    /** How many numbers the search has found. */
    int count;

    private int[] stack = new int[64];

    TreeSearch(PointTree tree) {
        this.tree = tree;
    }

    /** Returns false if nothing in a node can be near. */
    abstract boolean near(int node);

    /** Finds what a near node has; returns false if its children must be searched instead. */
    abstract boolean take(int node);

    /** Makes room for more numbers; the next one goes to index {@link #count}. */
    final void grow(int more) {
        if (count + more > found.length) {
            found = Arrays.copyOf(found, Math.max(2 * found.length, count + more));
        }
    }

    /** Searches from the root and returns how many numbers were found. */
    final int search() {
        count = 0;
        int waiting = 1;
        stack[0] = 0;
        while (waiting > 0) {
            int node = stack[--waiting];
            if (!near(node) || take(node)) {
                continue;
            }
            if (waiting + 2 > stack.length) {
                stack = Arrays.copyOf(stack, 2 * stack.length);
            }
            stack[waiting++] = tree.child(node) + 1;
            stack[waiting++] = tree.child(node);
        }
        return count;
    }
}
