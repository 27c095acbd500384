import { Flag, lenient, list, Text } from '../media/lenient.ts';
import { WireGoogleError } from '../media/google-error.ts';

const Bytes = lenient({ mimeType: Text, mime_type: Text, data: Text });
/** `thought` marks a part as reasoning, not output. An image can also be a thought. */
const Part = lenient({ text: Text, thought: Flag, inlineData: Bytes, inline_data: Bytes });

export const WireGenerated = lenient({
  candidates: list(lenient({ content: lenient({ parts: list(Part) }), finishReason: Text, finishMessage: Text })),
  promptFeedback: lenient({ blockReason: Text, blockReasonMessage: Text }),
  error: WireGoogleError,
});
