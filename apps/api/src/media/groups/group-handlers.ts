import { GatewayError, isGroupId } from '@sluice/canonical';
import type { GroupAction, GroupEndpoint } from '@sluice/protocols';
import type { EndpointHandler, EndpointHandlers } from '../../auth/client-call.ts';
import { printable } from '../../http/printable.ts';
import { expectBudget } from '../../metering/budget/expect-budget.ts';
import { createGroup } from './create-group.ts';
import type { GroupCall, GroupsDeps } from './group-call.ts';

/** Handlers of groups of videos. A group of another key is treated as missing. */
export function groupHandlers(deps: GroupsDeps): EndpointHandlers<GroupAction> {
  const { groups } = deps;
  return {
    'group.create': handler((call) => createGroup(deps, call)),
    'group.list': handler(async ({ protocol, apiKey, request }) => {
      const listing = protocol.decodeListing(request.query);
      if (listing.after !== undefined && !isGroupId(listing.after)) throw invalidCursor(listing.after);
      const page = await groups.list(apiKey.name, listing);
      return protocol.encodeGroups(page.groups, page.hasMore);
    }),
    'group.retrieve': handler((call) => retrieveGroup(deps, call)),
    'group.cancel': handler(async ({ protocol, apiKey, id }) =>
      protocol.encodeGroup(await groups.cancel(apiKey.name, id)),
    ),
    'group.retry': handler(async ({ protocol, apiKey, request, id }) => {
      const retriesUnknown = protocol.decodeRetry(request.body);
      await groups.find(apiKey.name, id);
      await expectBudget(deps.limiter, apiKey);
      return protocol.encodeGroup(await groups.retry(apiKey.name, id, retriesUnknown));
    }),
    'group.delete': handler(async ({ protocol, apiKey, id }) => {
      await groups.remove(apiKey.name, id);
      return protocol.encodeDeleted(id);
    }),
  };
}

function handler(serve: (call: GroupCall) => Promise<unknown>): EndpointHandler<GroupEndpoint> {
  return {
    serve: ({ endpoint, ...call }) => {
      const { group_id: id = '' } = call.request.params as Record<string, string>; // Path parameters are strings.
      return serve({ ...call, protocol: endpoint.protocol, id });
    },
  };
}

function invalidCursor(after: string): GatewayError {
  const what = `\`after\` must be the id of a group; got ${printable(after)}. Remove it to start at the first page.`;
  return new GatewayError('invalid_request', what, { param: 'after' });
}

async function retrieveGroup(
  { groups, engine, links }: GroupsDeps,
  { protocol, apiKey, request, reply, id }: GroupCall,
): Promise<unknown> {
  const { from, limit } = protocol.decodePage(request.query);
  const group = await groups.find(apiKey.name, id);
  const { items, hasMore } = await groups.items(id, from, limit);
  const videos = await Promise.all(
    items.map(async (item) => ({
      item,
      task: item.taskId === undefined ? undefined : await engine.find(apiKey.name, item.taskId),
    })),
  );
  return protocol.encodeGroupPage(group, { videos, hasMore }, (task) => ({
    contentUrl: task.status === 'completed' ? links.linkTo(request, task, 0) : '',
    requestId: request.id,
    elapsedMs: reply.elapsedTime,
  }));
}
