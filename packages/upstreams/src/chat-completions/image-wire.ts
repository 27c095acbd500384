import type { z } from 'zod';
import { lenient, list, Text } from '../media/lenient.ts';

const WireError = lenient({ code: Text, type: Text, message: Text });
const Item = lenient({ b64_json: Text, url: Text, revised_prompt: Text, error: WireError });

export type WireImage = z.output<typeof Item>;

/** `{created, data: [{b64_json | url, revised_prompt}]}`. Some vendors return an error inside an item. */
export const WireImages = lenient({ data: list(Item), error: WireError });
