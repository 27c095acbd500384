import { createResponseKeys, type ResponseKeys, textKey } from '@sluice/responses';

/** The Redis keys of text state. All share one hash tag. */
export interface TextKeys extends ResponseKeys {
  reasoning(owner: string, callId: string): string;
}

export function createTextKeys(name: string): TextKeys {
  return { ...createResponseKeys(name), reasoning: textKey(name, 'reasoning') };
}
