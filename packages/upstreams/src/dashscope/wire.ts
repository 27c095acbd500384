import { z } from 'zod';
import { Id, lenient, list, Numeric, Text } from '../media/lenient.ts';

const Content = lenient({ image: Text });
const Choice = lenient({ message: lenient({ content: list(Content) }) });
const Result = lenient({ url: Text, code: Text, message: Text, actual_prompt: Text });

const ResponseSchema = z.looseObject({
  code: Text,
  message: Text,
  output: lenient({
    task_id: Id,
    task_status: Text,
    code: Text,
    message: Text,
    video_url: Text,
    actual_prompt: Text,
    results: list(Result),
    choices: list(Choice),
  }),
  usage: lenient({ duration: Numeric, video_duration: Numeric, output_video_duration: Numeric, size: Text }),
});

export type DashscopeResponse = z.output<typeof ResponseSchema>;
export type DashscopeResult = z.output<typeof Result>;

export function readDashscope(body: unknown): DashscopeResponse {
  const parsed = ResponseSchema.safeParse(body);
  return parsed.success ? parsed.data : {};
}

export function imagesOf({ output }: DashscopeResponse): string[] {
  const contents = (output?.choices ?? []).flatMap((choice) => choice?.message?.content ?? []);
  return contents.map((content) => content?.image).filter((url) => url !== undefined);
}
