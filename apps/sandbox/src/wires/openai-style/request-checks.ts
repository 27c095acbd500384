import { invalidParameter } from './openai-error.ts';
import { strictSchemaError } from './strict-schema.ts';

interface FunctionTool {
  name: string;
  parameters?: Record<string, unknown> | null | undefined;
  strict?: boolean | null | undefined;
}

/** @throws WireError 400 if the parameters are not an object schema, or violate `strict: true`. */
export function checkFunction({ name, parameters, strict }: FunctionTool, param: string): void {
  const type = parameters?.['type'];
  const isObject = !parameters || type === 'object' || Object.keys(parameters).length === 0;
  const got = type === undefined ? 'None' : JSON.stringify(type);
  const notObject = `schema must be a JSON Schema of 'type: "object"', got 'type: ${got}'.`;
  const strictError = strict ? strictSchemaError(parameters ?? { type: 'object' }) : undefined;
  const error = isObject ? strictError : notObject;
  if (error === undefined) return;
  throw invalidParameter(param, `Invalid schema for function '${name}': ${error}`, 'invalid_function_parameters');
}

interface StreamedRequest {
  stream?: boolean | null | undefined;
  stream_options?: object | null | undefined;
}

export function checkStreamOptions({ stream, stream_options: options }: StreamedRequest): void {
  if (!options || stream === true) return;
  const message = "The 'stream_options' parameter is only allowed when 'stream' is enabled.";
  throw invalidParameter('stream_options', message);
}

export function isReasoningModel(model: string): boolean {
  return /^(?:o\d|gpt-5|gpt-6)/.test(model);
}

type Sampling = Partial<Record<'temperature' | 'top_p', number | null | undefined>>;

/** Returns the first sampling parameter that differs from its default. Reasoning models reject such a parameter. */
export function changedSampling({ temperature, top_p }: Sampling): [name: string, value: number] | undefined {
  return Object.entries({ temperature, top_p }).flatMap(([name, value]): [string, number][] =>
    typeof value === 'number' && value !== 1 ? [[name, value]] : [],
  )[0];
}
