import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A running S3 server with one bucket. */
export interface S3Server {
  endpoint: string;
  bucket: string;
  accessKey: string;
  secretKey: string;
  /** Returns the path of the file in which the server stores an object. */
  fileOf(key: string): string;
  close(): Promise<void>;
}

/** The parts of `s3rver` that are used here; it has no type declarations. It stores objects in a folder. */
interface S3rver {
  run(): Promise<{ port: number }>;
  close(): Promise<void>;
}
type S3rverClass = new (options: Record<string, unknown>) => S3rver;

export async function startS3Server(): Promise<S3Server> {
  // The cast is needed because this CommonJS module has no type declarations.
  const Server = createRequire(import.meta.url)('s3rver') as S3rverClass;
  const directory = await mkdtemp(path.join(tmpdir(), 'sluice-s3-'));
  const bucket = 'media';
  const configureBuckets = [{ name: bucket, configs: [] }];
  const server = new Server({ address: '127.0.0.1', port: 0, silent: true, directory, configureBuckets });
  const { port } = await server.run();
  return {
    endpoint: `http://127.0.0.1:${port}`,
    bucket,
    // The only access key that the server accepts.
    accessKey: 'S3RVER',
    secretKey: 'S3RVER',
    fileOf: (key) => path.join(directory, bucket, `${key}._S3rver_object`),
    async close() {
      await server.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
