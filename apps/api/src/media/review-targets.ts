import {
  GatewayError,
  type MediaCapability,
  type MediaField,
  type MediaLoss,
  type MediaRequest,
  UnsupportedParamsError,
} from '@sluice/canonical';
import type { FieldNames } from '@sluice/protocols';
import type { TaskTarget } from '@sluice/tasks';
import { printable } from '../http/printable.ts';
import type { MediaDeps } from './media-deps.ts';

/** A wish and the routes that could serve it. */
export interface ReviewedParams {
  /** The model id that the client asked for. */
  model: string;
  targets: readonly TaskTarget[];
  request: MediaRequest;
  fieldNames: FieldNames;
  /** Whether a route that would leave something out is no route. */
  strict: boolean;
}

/** The routes that can serve a wish, and what the first of them will make of it. */
export interface Reviewed {
  /** At least one, in the given order. */
  targets: TaskTarget[];
  /** The duration that will be made, where known. */
  seconds?: string;
  /** What will be done otherwise than asked. */
  losses: MediaLoss[];
}

/**
 * Holds a wish against what each route's upstream can do, before anything is recorded: a route that cannot do it is
 * left out, and when none is left the client is told why the first one could not.
 * @throws GatewayError `invalid_request` when the model makes no such media; `unsupported_parameter` naming the field
 */
export function reviewTargets(accounts: MediaDeps['accounts'], params: ReviewedParams): Reviewed {
  const { model, request, fieldNames, strict } = params;
  const nameOf = (field: MediaField): string => fieldNames[field] ?? field;
  let refusal: GatewayError | undefined;
  let first: Omit<Reviewed, 'targets'> | undefined;
  const targets = params.targets.filter((target) => {
    const capability: MediaCapability | undefined = accounts.get(target.upstream)?.[request.kind];
    if (!capability) return false;
    try {
      const losses: MediaLoss[] = [];
      const { seconds } = capability.review(target.model, request, (loss) => losses.push(loss));
      const [lost] = losses;
      if (strict && lost) throw new UnsupportedParamsError(lost.field, STRICT[lost.how]);
      first ??= { losses: unique(losses), ...(seconds !== undefined && { seconds }) };
      return true;
    } catch (error) {
      if (!(error instanceof UnsupportedParamsError)) throw error;
      const param = nameOf(error.field);
      refusal ??= new GatewayError('unsupported_parameter', `${param} ${error.what}.`, { param });
      return false;
    }
  });
  if (first) return { targets, ...first };
  throw (
    refusal ??
    new GatewayError('invalid_request', `The model ${printable(model)} does not make ${request.kind}s.`, {
      param: fieldNames.model ?? 'model',
    })
  );
}

const STRICT: Record<MediaLoss['how'], string> = {
  dropped: 'is not supported by this model, and strict mode forbids to leave it out',
  clamped: 'is not made like this by this model, and strict mode forbids to take the nearest',
  replaced: 'can only be said in another way to this model, which strict mode forbids',
};

function unique(losses: readonly MediaLoss[]): MediaLoss[] {
  return [...new Map(losses.map((loss) => [loss.field, loss])).values()];
}

/**
 * What the header `x-sluice-dropped` tells: the fields that are done otherwise than asked, as the client spells them.
 * @param dropped what no upstream is told, in the client's spelling
 */
export function lossHeader(
  losses: readonly MediaLoss[],
  fieldNames: FieldNames,
  dropped: readonly string[] = [],
): string {
  return [...losses.map(({ field }) => fieldNames[field] ?? field), ...dropped].join(', ');
}
