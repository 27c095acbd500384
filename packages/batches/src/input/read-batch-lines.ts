import type { BatchInputError, BatchLine } from '@sluice/canonical';
import { type CheckedLine, checkLine, type InputRules, modelOf } from './check-line.ts';
import { splitLines } from './split-lines.ts';

export interface ReadLine {
  /** From 1. */
  number: number;
  line: BatchLine;
  /** The offset of the line's first byte, and of the byte after its line break. */
  start: number;
  end: number;
}

/** At most this many errors are reported. */
const MAX_ERRORS = 50;

/** The input of a batch is invalid, so none of its lines is run. */
export class InvalidBatchInput extends Error {
  readonly errors: readonly BatchInputError[];
  /** The lines that were read. */
  readonly lines: number | undefined;

  constructor(errors: readonly BatchInputError[], lines?: number) {
    super(errors[0]?.message ?? 'The input is invalid.');
    this.name = 'InvalidBatchInput';
    this.errors = errors;
    this.lines = lines;
  }
}

/**
 * Reads and checks an input file with one line in memory. After the first invalid line, it yields no more lines, but
 * continues to collect errors. It does not find lines with the same `custom_id`.
 * @throws {InvalidBatchInput} when the input ends, or after {@link MAX_ERRORS} errors
 */
export async function* readBatchLines(source: AsyncIterable<Uint8Array>, rules: InputRules): AsyncGenerator<ReadLine> {
  const errors: BatchInputError[] = [];
  const models = new SingleModel(rules);
  let lines = 0;
  for await (const raw of splitLines(source, rules.limits.maxLineBytes)) {
    lines = raw.number;
    if (lines > rules.limits.maxLines) {
      errors.push(tooManyLines(rules));
      break;
    }
    const checked = models.check(raw.number, checkLine(raw, rules));
    if (checked.error) errors.push(checked.error);
    else if (errors.length === 0) yield { number: raw.number, line: checked.line, start: raw.start, end: raw.end };
    if (errors.length === MAX_ERRORS) break;
  }
  if (lines === 0) errors.push({ code: 'empty_file', message: 'The input file is empty. Add at least one request.' });
  if (errors.length > 0) throw new InvalidBatchInput(errors, lines);
}

/** Checks that all lines have one model, as OpenAI requires. */
class SingleModel {
  readonly #isRequired: boolean;
  #first: { model: string; number: number } | undefined;

  constructor({ protocol }: InputRules) {
    this.#isRequired = protocol === 'openai';
  }

  check(number: number, checked: CheckedLine): CheckedLine {
    const model = checked.error ? undefined : modelOf(checked.line);
    if (!this.#isRequired || model === undefined) return checked;
    this.#first ??= { model, number };
    if (model === this.#first.model) return checked;
    const other = `\`${this.#first.model}\` in line ${this.#first.number}`;
    const message = `Line ${number}: The model differs from ${other}. All lines of a batch must have the same model.`;
    return { error: { code: 'mismatched_model', message, line: number, param: 'body.model' } };
  }
}

function tooManyLines({ limits }: InputRules): BatchInputError {
  const line = limits.maxLines + 1;
  const max = limits.maxLines.toLocaleString('en-US');
  return { code: 'too_many_lines', message: `Line ${line}: A batch can have at most ${max} lines.`, line };
}
