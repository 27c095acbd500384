import type { Generation, GenerationRequest, Loss, TextOperation } from '@sluice/canonical';
import type { FastifyReply } from 'fastify';
import { loggedFields, servedHeaders } from '../routing/served-headers.ts';
import type { GenerationDeps, TextCall } from './generation-deps.ts';
import { meterText } from './meter-text.ts';
import { mayContinueElsewhere, openPlan } from './open-plan.ts';
import type { AlternativePlan, TextPlan } from './plan-text.ts';
import { hasCalls, rememberReasoning } from './reasoning/remember-reasoning.ts';
import { type OpenedResponse, servedOf } from './request-completion.ts';
import { type Outcome, sendStream } from './send-stream.ts';
import { storeEarly } from './store-early.ts';
import { createTextContext, type TextContext } from './text-context.ts';

export interface ServeOptions {
  /** Whether the request is not read again after it has been served, so that its memory can be freed. */
  isLastUse?: boolean;
  responseId?: string;
  /** Unix seconds. By default, the current time. */
  createdAt?: number;
  operation?: TextOperation;
  /** The client's body before its references were resolved. */
  sentBody?: () => Record<string, unknown>;
  /** Parts of the conversation that the plan's upstreams cannot receive. */
  losses?: readonly Loss[] | undefined;
  /** Plans the request for other upstreams. Called if those of the plan fail. */
  alternative?: (() => Promise<AlternativePlan | undefined>) | undefined;
  /** Stores a relayed stream as soon as its id is known, because the client can retrieve it while it is generated. */
  storesEarly?: boolean;
  /**
   * Called before a buffered response or the last byte of a stream is sent, and after a relayed response was cut short.
   * Must not throw.
   * @param generation undefined for a relayed response
   */
  store?: (
    opened: OpenedResponse,
    generation: Generation | undefined,
    request: GenerationRequest | undefined,
  ) => Promise<void>;
}

/** Serves a request from the first upstream that responds. @throws GatewayError if nothing has been sent yet */
export async function serveText(
  deps: GenerationDeps,
  call: TextCall,
  plan: TextPlan,
  options: ServeOptions = {},
): Promise<unknown> {
  const service = new TextService(deps, call, plan, options);
  try {
    return await service.serve();
  } finally {
    if (options.isLastUse === true) service.freeLargeBody();
  }
}

/** The service of one request: opens a response, sends it, stores it if it is to be kept, and meters it. */
class TextService {
  readonly #deps: GenerationDeps;
  readonly #call: TextCall;
  readonly #plan: TextPlan;
  readonly #options: ServeOptions;
  readonly #planned: TextContext;
  /** The context of the plan that was used last: the planned one, or that of the alternative. */
  #used: TextContext;

  constructor(deps: GenerationDeps, call: TextCall, plan: TextPlan, options: ServeOptions) {
    this.#deps = deps;
    this.#call = call;
    this.#plan = plan;
    this.#options = options;
    this.#planned = this.#contextOf(plan);
    this.#used = this.#planned;
  }

  serve(): Promise<unknown> {
    return this.#plan.request.stream ? this.#serveStream() : this.#serveBuffered();
  }

  freeLargeBody(): void {
    const { bodyMemory } = this.#planned;
    if (!bodyMemory.isLarge) return;
    // The charge may depend on an estimate of the body's tokens.
    this.#call.request.charge?.bodyEnds();
    bodyMemory.free();
  }

  async #serveBuffered(): Promise<unknown> {
    const opened = await this.#open();
    const { generation, usage } = opened.buffered ?? {};
    // Reasoning is only remembered for tool calls, which most responses do not have.
    const mayStore = this.#options.store !== undefined || hasCalls(generation);
    if (mayStore && this.#isStored(opened)) await this.#store(opened);
    meterText(this.#deps, opened, { usage }, this.#call);
    return sendBuffered(this.#call.reply, opened);
  }

  async #serveStream(): Promise<unknown> {
    await sendStream(this.#deps, this.#call, this.#planned, {
      open: () => this.#open(),
      onEnd: (opened, outcome) => this.#streamEnded(opened, outcome),
      isStored: (opened) => this.#isStored(opened),
      store: (opened) => this.#store(opened),
    });
    return this.#call.reply;
  }

  #streamEnded(opened: OpenedResponse, outcome: Outcome): void {
    meterText(this.#deps, opened, outcome, this.#call);
    logLosses(this.#call, opened);
    // The vendor stores a relayed response even if its stream was cut short here.
    if (outcome.failed && opened.exchange.isRelayed && this.#isStored(opened)) void this.#store(opened);
  }

  async #open(): Promise<OpenedResponse> {
    const { losses = [], storesEarly = false } = this.#options;
    const opened = await openPlan(this.#deps, this.#call, { plan: this.#plan, losses }, this.#planned).catch(
      (error: unknown) => this.#openAlternative(error),
    );
    const { feed, exchange } = opened;
    if (!storesEarly || !exchange.isRelayed) return opened;
    this.#call.request.charge?.continuesUpstream();
    return feed ? { ...opened, feed: await storeEarly(feed, () => this.#store(opened)) } : opened;
  }

  /** @throws the error of the plan, if there is no alternative; GatewayError */
  async #openAlternative(error: unknown): Promise<OpenedResponse> {
    const other = mayContinueElsewhere(error, this.#call) ? await this.#options.alternative?.() : undefined;
    if (!other || (this.#planned.strict && other.losses.length > 0)) throw error;
    this.#used = this.#contextOf(other.plan);
    return openPlan(this.#deps, this.#call, other, this.#used);
  }

  #isStored({ exchange }: OpenedResponse): boolean {
    return this.#options.store !== undefined || (this.#planned.keepsGeneration && !exchange.isRelayed);
  }

  async #store(opened: OpenedResponse): Promise<void> {
    const generation = opened.buffered?.generation ?? opened.feed?.writer.generation?.();
    const request = opened.exchange.isRelayed ? undefined : (await this.#used.decoded()).generation;
    await Promise.all([
      this.#options.store?.(opened, generation, request),
      rememberReasoning(this.#deps.memory, this.#used, generation),
    ]);
  }

  #contextOf({ request, files }: TextPlan): TextContext {
    const { responseId, createdAt, operation, sentBody, store } = this.#options;
    return createTextContext(this.#deps, this.#call, {
      request,
      files,
      strict: this.#call.apiKey.strict || this.#plan.resolvedModel.model.strict,
      responseId,
      createdAt,
      operation,
      sentBody,
      framing: requestsArray(this.#call) ? 'json-array' : undefined,
      keepsGeneration: store !== undefined,
    });
  }
}

/** Adds the losses of a streamed response to the request's log line. */
function logLosses({ request: { served } }: TextCall, { feed, exchange }: OpenedResponse): void {
  const losses = feed?.writer.progress.losses ?? [];
  if (served && losses.length > 0) served.dropped = loggedFields([...exchange.losses, ...losses]);
}

function sendBuffered(reply: FastifyReply, opened: OpenedResponse): FastifyReply {
  void reply.headers(servedHeaders(servedOf(opened))).type('application/json; charset=utf-8');
  return reply.send(opened.buffered?.body);
}

/** Gemini streams a JSON array unless the client requests events with `alt=sse`. */
function requestsArray({ endpoint, request }: TextCall): boolean {
  if (endpoint.verb !== 'streamGenerateContent') return false;
  return (request.query as { alt?: unknown }).alt !== 'sse'; // The cast is safe because it allows any query value.
}
