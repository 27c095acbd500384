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
import { unsuitableModel } from '../routing/unsuitable-model.ts';
import type { MediaDeps } from './media-deps.ts';

export interface ReviewedParams {
  model: string;
  targets: readonly TaskTarget[];
  request: MediaRequest;
  fieldNames: FieldNames;
  /** Rejects routes that would drop or change a parameter. */
  strict: boolean;
}

export interface Reviewed {
  /** At least one target, in the order of the request's targets. */
  targets: TaskTarget[];
  seconds?: string;
  losses: MediaLoss[];
}

/**
 * Removes targets that cannot serve the request. If none remains, the error explains why the first one cannot.
 * @throws GatewayError `invalid_request` for a model of another kind; `unsupported_parameter` naming the field
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
  throw refusal ?? unsuitableModel(model, `generate ${request.kind}s`, fieldNames.model);
}

const STRICT: Record<MediaLoss['how'], string> = {
  dropped: 'is not supported by this model, and strict mode does not allow dropping it. Remove it',
  clamped: 'is out of range for this model, and strict mode does not allow clamping it. Send a supported value',
  replaced: 'has to be replaced for this model, and strict mode does not allow replacing it. Send a supported value',
};

function unique(losses: readonly MediaLoss[]): MediaLoss[] {
  return [...new Map(losses.map((loss) => [loss.field, loss])).values()];
}

/**
 * Returns the names in the header `x-sluice-dropped`.
 * @param dropped fields that no upstream receives, by the client's names
 */
export function lostFields(
  losses: readonly MediaLoss[],
  fieldNames: FieldNames,
  dropped: readonly string[] = [],
): string[] {
  return [...losses.map(({ field }) => fieldNames[field] ?? field), ...dropped];
}
