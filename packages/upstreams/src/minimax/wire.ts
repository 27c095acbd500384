import { z } from 'zod';
import { Id, lenient, Numeric, Text } from '../media/lenient.ts';

/** A code, also from text. */
const Code = z
  .union([
    z.number(),
    z
      .string()
      .regex(/^\d{1,9}$/)
      .transform(Number),
  ])
  .optional()
  .catch(undefined);

/** How v1 says whether a call went well: inside HTTP 200. */
const BaseResp = lenient({ status_code: Code, status_msg: Text });

/** `{type: "error", error: {type, message, http_code}}` of v2, whose messages end with the code of v1: `… (2013)`. */
const WireError = lenient({ type: Text, message: Text });

/** What either version may say instead of an answer. */
export const WireRefusal = lenient({ base_resp: BaseResp, error: WireError });
/** A {@link WireRefusal}. */
export type MinimaxRefusal = z.output<typeof WireRefusal>;

/** The answer to a submission of either version. */
export const WireSubmitted = lenient({ task_id: Id, base_resp: BaseResp });

/** A task of v1; where its file is must be asked for. */
export const WireTaskV1 = lenient({
  status: Text,
  file_id: Id,
  video_width: Numeric,
  video_height: Numeric,
  base_resp: BaseResp,
});

/** A file of v1. */
export const WireFile = lenient({ file: lenient({ download_url: Text }), base_resp: BaseResp });

const TaskV2 = lenient({
  id: Id,
  model: Text,
  status: Text,
  error: lenient({ code: Id, message: Text }),
  content: lenient({ url: Text }),
  /** Unix seconds. */
  created_at: Numeric,
  resolution: Text,
  duration: Numeric,
  ratio: Text,
});

/** A task of v2. */
export const WireTaskV2 = lenient({ task: TaskV2 });
