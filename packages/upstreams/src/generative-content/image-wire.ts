import { Flag, lenient, list, Text } from '../media/lenient.ts';
import { WireGoogleError } from '../media/google-error.ts';

const Bytes = lenient({ mimeType: Text, mime_type: Text, data: Text });
/** `thought`: on the way to the answer, and no part of it; pictures may be such, too. */
const Part = lenient({ text: Text, thought: Flag, inlineData: Bytes, inline_data: Bytes });

/** What is read of an answer of `generateContent`. */
export const WireGenerated = lenient({
  candidates: list(lenient({ content: lenient({ parts: list(Part) }), finishReason: Text, finishMessage: Text })),
  promptFeedback: lenient({ blockReason: Text, blockReasonMessage: Text }),
  error: WireGoogleError,
});
