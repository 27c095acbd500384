/**
 * Gemini 3 accepts this in place of a thought signature for a call that it did not make
 * (ai.google.dev, "Thought signatures"; @ai-sdk/google 4.0.121 sends it too).
 */
export const SKIP_SIGNATURE = 'skip_thought_signature_validator';
