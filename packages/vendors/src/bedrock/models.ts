import { type Catalog, findModel, megabytes, type VideoModel } from '../schema/models.ts';

/** AWS docs, `StartAsyncInvoke`: Nova Reel accepts one PNG or JPEG. The limit of the body is that of `InvokeModel`. */
export const BEDROCK_VIDEO_IMAGES = { mediaTypes: ['image/png', 'image/jpeg'], maxTogether: megabytes(17) };

export interface BedrockVideo extends VideoModel {
  /** The format of the model's input. */
  format: 'nova-reel' | 'luma-ray';
  maxPrompt: number;
  /** Maximum length of the prompt of a video with one shot. */
  maxShotPrompt?: number;
}

/** Amazon Nova user guide, "Video generation access and usage": a shot has six seconds. */
export const SHOT_SECONDS = 6;

const NOVA = {
  format: 'nova-reel',
  maxPrompt: 512,
  images: { first_frame: 1 },
  seconds: [SHOT_SECONDS],
  defaultSeconds: SHOT_SECONDS,
  frames: ['1280x720'],
  fixed: { audio: false },
  optionalFields: ['seed'],
} as const;

const NOVA_LONG: BedrockVideo = {
  ...NOVA,
  maxPrompt: 4000,
  maxShotPrompt: 512,
  seconds: Array.from({ length: 20 }, (_, index) => SHOT_SECONDS * (index + 1)),
  // Longer videos are generated from text only.
  when: { first_frame: { seconds: [SHOT_SECONDS] } },
};

/**
 * By the ids of models, of inference profiles, and of ARNs. Sources: Amazon Nova user guide, "Video generation access and
 * usage", and Amazon Bedrock user guide, "Luma AI models".
 */
export const BEDROCK_VIDEOS: Catalog<BedrockVideo> = [
  [/amazon\.nova-reel-v1:0/, NOVA],
  [/amazon\.nova-reel/, NOVA_LONG],
  [
    /luma\.ray/,
    {
      format: 'luma-ray',
      maxPrompt: 5000,
      images: { first_frame: 1, last_frame: 1 },
      seconds: [5, 9],
      defaultSeconds: 5,
      aspectRatios: ['1:1', '16:9', '9:16', '4:3', '3:4', '21:9', '9:21'],
      resolutions: ['540p', '720p'],
      fixed: { audio: false },
      optionalFields: [],
    },
  ],
];

/** The ARN of an application inference profile names no model. */
export function bedrockVideo(name: string): BedrockVideo {
  return findModel(BEDROCK_VIDEOS, name) ?? NOVA_LONG;
}
