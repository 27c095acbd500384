import { setImmediate } from 'node:timers/promises';
import { GatewayError, type VideoRequest } from '@sluice/canonical';
import { type DecodedGroup, type DecodedGroupItem, videosProtocol } from '@sluice/protocols';
import { requestedNanos } from '@sluice/tasks';
import { enforceMaxCost } from '../max-cost.ts';
import { prepareTask, type TaskCreation } from '../prepare-task.ts';
import type { GroupCall, GroupsDeps } from './group-call.ts';

/** Maximum invalid videos that an error names. The rest is then not validated. */
const MAX_REPORTED = 5;

/**
 * Validates the requests of a group as `POST /v1/videos` does.
 * @returns the maximum cost of each video in nano-dollars; undefined if it is unknown
 * @throws GatewayError that names the invalid videos by their indexes; its code and field are those of the first one
 */
export async function planVideos(
  deps: GroupsDeps,
  call: GroupCall,
  { shared, items }: DecodedGroup,
): Promise<(number | undefined)[]> {
  const costs: (number | undefined)[] = [];
  const errors: GatewayError[] = [];
  for (const [index, item] of items.entries()) {
    try {
      costs.push(await planVideo(deps, call, { ...shared, ...item.fields }));
    } catch (error) {
      if (!(error instanceof GatewayError) || error.status >= 500) throw error;
      errors.push(atIndex(error, index, item));
      if (errors.length === MAX_REPORTED) break;
    }
    // Lets other requests run between the videos.
    await setImmediate();
  }
  const [first] = errors;
  if (!first) return costs;
  const message = errors.map((error) => error.message).join(' ');
  throw new GatewayError(first.code, message, { ...(first.param !== undefined && { param: first.param }) });
}

async function planVideo(deps: GroupsDeps, call: GroupCall, fields: Record<string, unknown>) {
  const creation: TaskCreation<VideoRequest> = {
    ...call,
    fileFields: [],
    operation: 'videos.create',
    fieldNames: videosProtocol.fieldNames,
    kind: 'video',
    decode: (form) => videosProtocol.decodeVideo(form),
    complete: (params, images) => ({ ...params, images }),
    disconnected: deps.stopping,
  };
  const { choice, maxCostUsd } = await prepareTask(deps, creation, { fields, files: [] });
  const targets = enforceMaxCost(choice, maxCostUsd);
  // Every target may serve the video.
  const costs = targets.map(({ price }) => price && requestedNanos(price, choice.units));
  return costs.reduce<number | undefined>(
    (most, cost) => (most === undefined || cost === undefined ? undefined : Math.max(most, cost)),
    0,
  );
}

function atIndex({ code, message, param }: GatewayError, index: number, { nameOf }: DecodedGroupItem): GatewayError {
  return new GatewayError(code, `Video ${index}: ${message}`, { ...(param !== undefined && { param: nameOf(param) }) });
}
