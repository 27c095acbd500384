/**
 * What Gemini 3 takes in place of the thought signature of a call that it did not make itself
 * (ai.google.dev, "Thought signatures"; @ai-sdk/google 4.0.121 sends it too).
 */
export const SKIP_SIGNATURE = 'skip_thought_signature_validator';
