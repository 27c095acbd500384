export {
  createGroupStore,
  type GroupListing,
  type GroupParams,
  type GroupSearch,
  type GroupStore,
  type OwnedGroup,
} from './group-store.ts';
export { type GroupWorker, type GroupWorkerOptions, type ServeVideo, startGroupWorker } from './group-worker.ts';
export type { GroupSettings } from './store/group-settings.ts';
