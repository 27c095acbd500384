/** A line of an input file, in OpenAI's format. The gateway writes the requests of other protocols in the same format. */
export interface BatchLine {
  /** Unique in the batch. */
  custom_id: string;
  method: 'POST';
  /** The batch's endpoint. */
  url: string;
  body: Readonly<Record<string, unknown>>;
}

/** Error codes of lines without a response. */
export type BatchLineErrorCode =
  /** The process that sent the line ended before it recorded a response, and the line must not be paid for twice. */
  | 'outcome_unknown'
  | 'batch_expired'
  | 'batch_cancelled'
  /** The request was not run, for a reason in the message. */
  | 'request_failed'
  /** The batch of the vendor ended without a result of this request. */
  | 'result_missing';

/**
 * A line of the output file or the error file, in OpenAI's format. Both files are in the order of the input, and each
 * line of the input is in one of them.
 */
export interface BatchLineResult {
  /** See `batchResultId`. */
  id: string;
  custom_id: string;
  /** The body is JSON in the protocol of the batch's endpoint. */
  response: { status_code: number; request_id: string; body: unknown } | null;
  error: { code: BatchLineErrorCode; message: string } | null;
}
