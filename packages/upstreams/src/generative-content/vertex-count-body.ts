/** Fields of `CountTokensRequest` in Vertex AI (REST reference v1). It has no nested `generateContentRequest`. */
const COUNTED_FIELDS = new Set(['contents', 'systemInstruction', 'tools', 'generationConfig']);

/** Converts the body of `:countTokens` from Gemini's API to Vertex AI's. */
export function vertexCountBody(body: Record<string, unknown>): Record<string, unknown> {
  const { generateContentRequest: request } = body;
  if (typeof request !== 'object' || request === null) return body;
  return Object.fromEntries(Object.entries(request).filter(([name]) => COUNTED_FIELDS.has(name)));
}
