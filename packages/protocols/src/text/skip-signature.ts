/** Gemini 3 accepts this signature for a call that it did not make (ai.google.dev, "Thought signatures"). */
export const SKIP_SIGNATURE = 'skip_thought_signature_validator';
