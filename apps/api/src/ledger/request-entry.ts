import type { LedgerEntry, LedgerUsage } from '@sluice/ledger';
import { toNanos } from '@sluice/limits';
import type { Cost, PricedUse, PriceSource, PriceTarget } from '@sluice/prices';
import { exportedTraceId } from '@sluice/telemetry';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** The usage and the cost of a request. A request without usage costs nothing. */
export interface RequestOutcome {
  use?: PricedUse | undefined;
  /** Undefined if the price is unknown. */
  cost?: Cost | undefined;
  source?: PriceSource | undefined;
  /** The upstream that was used, even if it did not complete the request. */
  target?: PriceTarget | undefined;
}

export interface EntryParts {
  id: string;
  at: number;
  request: FastifyRequest;
  reply: FastifyReply;
  /** The endpoint and the protocol, as members of a JSON object. */
  route: string;
  key: string;
  user: string | undefined;
  labels: Readonly<Record<string, string>> | undefined;
  taskId: string | undefined;
  dropped: readonly string[] | undefined;
  outcome: RequestOutcome;
}

/** The status of a request whose client disconnected before the response, as in the logs of common proxies. */
const CLIENT_CLOSED_REQUEST = 499;

/**
 * Builds the entry of a request as JSON. It runs for each request, so it writes the text directly. The request's id and
 * the entry's own id contain no characters that JSON escapes.
 */
export function requestEntry({
  id,
  at,
  request,
  reply,
  route,
  key,
  user,
  labels,
  taskId,
  dropped,
  outcome,
}: EntryParts): string {
  const { served, attempts, requestedModel, firstEventMs } = request;
  const durationMs = Math.round(reply.elapsedTime);
  const isCut = request.session === undefined && (request.isAborted || !reply.raw.writableFinished);
  const hasResponse = reply.raw.headersSent || !isCut || request.session !== undefined;
  const status = hasResponse ? reply.statusCode : CLIENT_CLOSED_REQUEST;
  const errorCode = request.errorCode ?? (isCut ? 'aborted' : undefined);

  let json = `{"id":"${id}","type":"request","at":${at},"requestId":"${request.id}","key":${JSON.stringify(key)},${route}`;
  if (requestedModel !== undefined) json += `,"model":${JSON.stringify(requestedModel)}`;
  if (user !== undefined) json += `,"user":${JSON.stringify(user)}`;
  if (labels !== undefined) json += `,"labels":${JSON.stringify(labels)}`;
  if (taskId !== undefined) json += `,"taskId":${JSON.stringify(taskId)}`;
  if (served) json += upstreamJson(served.upstream, served.upstream_model, served.credential);
  else if (outcome.target) json += upstreamJson(outcome.target.upstream, outcome.target.model);
  else json += triedUpstreamJson(attempts);
  if (served) json += served.relayed ? ',"isRelayed":true' : ',"isRelayed":false';
  if (attempts !== undefined) json += attemptsJson(attempts, firstEventMs ?? durationMs);
  if (dropped !== undefined) json += `,"dropped":${JSON.stringify(dropped)}`;
  const traceId = exportedTraceId(request.trace);
  if (traceId !== undefined) json += `,"traceId":"${traceId}"`;
  json += `,"status":${status},"durationMs":${durationMs}`;
  if (errorCode !== undefined) json += `,"errorCode":${JSON.stringify(errorCode)}`;
  if (firstEventMs !== undefined) json += `,"firstEventMs":${Math.round(firstEventMs)}`;
  else if (hasResponse) json += `,"firstEventMs":${durationMs}`;
  return `${json}${outcomeJson(outcome, taskId !== undefined)}}`;
}

function upstreamJson(upstream: string, model: string | undefined, credential?: string): string {
  let json = `,"upstream":${JSON.stringify(upstream)}`;
  if (model !== undefined) json += `,"upstreamModel":${JSON.stringify(model)}`;
  if (credential !== undefined) json += `,"credential":${JSON.stringify(credential)}`;
  return json;
}

/** Failed requests have the last upstream that was tried, so that its errors can be counted. */
function triedUpstreamJson(attempts: FastifyRequest['attempts'] = []): string {
  const tried = attempts.findLast(({ result }) => result !== 'unsupported');
  return tried ? upstreamJson(tried.upstream, tried.upstream_model) : '';
}

const MAX_NAMES = 50;
const MAX_NAME_LENGTH = 100;

/** Limits the names of fields, because clients choose some of them. @returns undefined if there are none */
export function entryNames(names: readonly string[] = []): readonly string[] | undefined {
  return names.length === 0 ? undefined : names.slice(0, MAX_NAMES).map((name) => name.slice(0, MAX_NAME_LENGTH));
}

/**
 * The attempts follow each other, except hedged ones, so the rest of the time is before the first of them. Omits the attempts if the first
 * upstream served the request.
 * @param elapsedMs time until the end of the last attempt
 */
function attemptsJson(attempts: NonNullable<FastifyRequest['attempts']>, elapsedMs: number): string {
  let callsMs = 0;
  for (const { ms = 0, result } of attempts) if (result !== 'hedged') callsMs += ms;
  const queue = `,"queueMs":${Math.max(0, Math.round(elapsedMs - callsMs))}`;
  if (attempts.length === 1 && attempts[0]?.result === 'served') return queue;
  const list: LedgerEntry['attempts'] = attempts.map(
    ({ upstream_model: upstreamModel, cost_usd: cost, ...attempt }) => ({
      ...attempt,
      upstreamModel,
      ...(cost !== undefined && { costNanos: toNanos(cost) }),
    }),
  );
  return `${queue},"attempts":${JSON.stringify(list)}`;
}

/** @param isTaskCreation whether the cost is in the entry of a task */
export function outcomeJson({ use, cost, source }: RequestOutcome, isTaskCreation: boolean): string {
  const usage = use ? usageJson(use) : '';
  if (cost) return `${usage},"costNanos":${cost.nanos}${linesJson(cost)}${sourceJson(source)}`;
  return use || isTaskCreation ? usage : ',"costNanos":0';
}

const COUNTS = [
  'inputTokens',
  'cachedTokens',
  'cacheWriteTokens',
  'cacheWrite1hTokens',
  'outputTokens',
  'reasoningTokens',
  'audioInputTokens',
  'audioOutputTokens',
  'imageInputTokens',
  'imageOutputTokens',
  'searches',
] as const satisfies (keyof LedgerUsage & keyof NonNullable<PricedUse['usage']>)[];

function usageJson({ usage, characters }: PricedUse): string {
  let members = '';
  if (usage) {
    for (const name of COUNTS) members += countJson(name, usage[name]);
    const { serviceTier } = usage;
    // Vendors report any text.
    if (serviceTier !== undefined && serviceTier.length <= MAX_TIER)
      members += `,"serviceTier":${JSON.stringify(serviceTier)}`;
  }
  if (usage?.audioSeconds !== undefined) members += secondsJson('audioSeconds', usage.audioSeconds);
  members += countJson('characters', characters);
  return members === '' ? '' : `,"usage":{${members.slice(1)}}`;
}

/** Vendors report any number. */
function countJson(name: string, count: number | undefined): string {
  if (count === undefined) return '';
  return count > 0 && Number.isFinite(count) ? `,"${name}":${Math.round(Math.min(count, MAX_COUNT))}` : `,"${name}":0`;
}

/** To the millisecond. */
function secondsJson(name: string, seconds: number): string {
  return seconds > 0 && seconds <= MAX_COUNT ? `,"${name}":${Math.round(seconds * 1_000) / 1_000}` : `,"${name}":0`;
}

const MAX_COUNT = 9e15;
const MAX_TIER = 64;

function linesJson({ lines }: Cost): string {
  if (lines.length === 0) return '';
  let json = '';
  for (const { unit, quantity, nanos } of lines) json += `,{"unit":"${unit}","quantity":${quantity},"nanos":${nanos}}`;
  return `,"lines":[${json.slice(1)}]`;
}

const sources = new WeakMap<PriceSource, string>();

function sourceJson(source: PriceSource | undefined): string {
  if (!source) return '';
  let json = sources.get(source);
  if (json === undefined) sources.set(source, (json = `,"priceSource":${JSON.stringify(source)}`));
  return json;
}
