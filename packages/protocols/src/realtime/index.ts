export { editClientEvent } from './client-event.ts';
export { realtimeEndpoints, realtimeProtocol } from './endpoints.ts';
export { encodeErrorEvent, encodeRefusal, type SessionErrorCode } from './error-event.ts';
export { readOfferedProtocols } from './offered-protocols.ts';
export { renameModel } from './rename-model.ts';
export { RefusedEvent } from './refused-event.ts';
export { readSessionQuery, type SessionQuery } from './session-query.ts';
export { readServerEvent } from './server-event.ts';
export { addUsage } from './session-usage.ts';
