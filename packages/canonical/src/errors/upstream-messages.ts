/** Reasons for a failure that the request did not cause. Operators read them, so they contain no remedy. */
export const UPSTREAM_FAILURES = {
  incomplete: 'The upstream ended the response before it was complete.',
  noCredential: 'The gateway could not obtain a credential for the upstream.',
  timedOut: 'The upstream did not respond in time.',
  tooLarge: 'The upstream returned more than the gateway accepts.',
  unreachable: 'The upstream could not be reached.',
} as const;

/** Messages for situations at an upstream, as clients read them. */
export const UPSTREAM_MESSAGES = {
  accessDenied:
    "The gateway's account at the upstream has no access to this operation. Contact the gateway's operator.",
  credentialRejected: "The upstream rejected the gateway's credential. Contact the gateway's operator.",
  failed: 'The upstream failed without a reason. Retry the request.',
  fileGone: 'The upstream no longer has the file. Generate it again.',
  incomplete: `${UPSTREAM_FAILURES.incomplete} Retry the request.`,
  modelNotFound: "The upstream does not serve this model. Contact the gateway's operator.",
  noContent: 'The upstream returned no content. Retry the request.',
  noCredential: `${UPSTREAM_FAILURES.noCredential} Retry later.`,
  noFileUrl: 'The upstream did not return the URL of the file.',
  outputBlocked: "The upstream's content policy blocked the output. Change the request.",
  overloaded: 'The upstream is overloaded. Retry later.',
  quotaExhausted: "The gateway's account at the upstream has no quota left. Contact the gateway's operator.",
  rateLimited: 'The rate limit of the upstream is reached. Retry later.',
  rejected: 'The upstream rejected the request without a reason. Check the request.',
  requestBlocked: "The upstream's content policy blocked the request. Change the request.",
  timedOut: `${UPSTREAM_FAILURES.timedOut} Retry later.`,
  tooLarge: `${UPSTREAM_FAILURES.tooLarge} Request a shorter response.`,
  unreachable: `${UPSTREAM_FAILURES.unreachable} Retry later.`,
} as const;

/** @param problem the vendor's mistake, such as `a tool call has no name` */
export function invalidResponseMessage(problem?: string): string {
  return `The upstream returned an invalid response${problem === undefined ? '' : `: ${problem}`}. Retry the request.`;
}

/** The message for an error response that contains no reason. */
export function statusMessage(status: number): string {
  return `The upstream returned HTTP ${status}.`;
}

/** @param what the response, such as `HTTP 500, code 7` @param operation such as `poll` */
export function unexpectedMessage(what: string, operation: string): string {
  return `The upstream returned ${what} for the ${operation}.`;
}
