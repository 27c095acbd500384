import type { FileStore } from '@sluice/files';
import type { GroupStore } from '@sluice/groups';
import type { VideoGroupsProtocol } from '@sluice/protocols';
import type { ClientCall } from '../../auth/client-call.ts';
import type { MediaDeps } from '../media-deps.ts';

export interface GroupsDeps extends MediaDeps {
  groups: GroupStore;
  files: Pick<FileStore, 'find' | 'open' | 'write' | 'create' | 'discard' | 'remove'>;
  /** Maximum videos of one group. */
  maxVideos: number;
}

export type GroupCall = Omit<ClientCall, 'endpoint'> & { protocol: VideoGroupsProtocol; id: string };
