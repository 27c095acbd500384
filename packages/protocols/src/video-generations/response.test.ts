import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anyVideoTask, view } from '../../test/media-tasks.ts';
import { encodeVideoObject } from '../media/video-object.ts';
import { encodeCreated } from './response.ts';
import { CreatedVideoSchema } from './schema.ts';

it('combines the video object with its id under both names', () => {
  fc.assert(
    fc.property(anyVideoTask, (any) => {
      const created = encodeCreated(any, view);
      expect(CreatedVideoSchema.strict().parse(created)).toEqual(created);
      expect(created).toEqual({ ...encodeVideoObject(any, view), task_id: any.id });
    }),
  );
});
