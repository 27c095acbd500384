import type { Config } from '../schema/schema.ts';

/** Returns the location of the content store. A configured folder must exist; the default folder is created. */
export function contentSettings({ content, contentDir }: Pick<Config, 'content' | 'contentDir'>) {
  return { dir: contentDir, mustExist: content.dir !== undefined, s3: content.s3 };
}
