package org.bochner.map.landmark;

/** The features and the penalty of a landmark map. */
public enum LandmarkForm {
    /**
     * The features are the kernel values k = (k(x, h₁), …, k(x, h_D)), and the penalty of weights α is αᵀKα with the
     * kernel values K between the landmarks: the norm of the function in the space of the kernel.
     */
    KERNEL,
    /** The features are the kernel values, and the penalty is αᵀα: the empirical kernel map. */
    RAW,
    /** The features are L⁻¹k with K = LLᵀ, whose inner products are kᵀK⁻¹k, and the penalty is the plain one. */
    WHITENED
}
