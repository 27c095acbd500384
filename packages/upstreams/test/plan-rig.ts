import { type ImageRole, type MediaLoss, UnsupportedParamsError, type VideoRequest } from '@sluice/canonical';

type PlanVideo<P> = (model: string, request: VideoRequest, report: (loss: MediaLoss) => void) => P;

export function planRig<P extends object>(plan: PlanVideo<P>) {
  function planned(model: string, params: Partial<VideoRequest>, roles: ImageRole[] = []): P & { losses: string[] } {
    const losses: string[] = [];
    const images = roles.map((role) => ({ role, source: { kind: 'url', url: 'https://c.example' } }) as const);
    const request: VideoRequest = { kind: 'video', prompt: 'a kite', images, ...params };
    return { ...plan(model, request, ({ field, how }) => void losses.push(`${field} ${how}`)), losses };
  }

  function refused(model: string, params: Partial<VideoRequest>, roles: ImageRole[] = []): string {
    try {
      planned(model, params, roles);
    } catch (error) {
      if (error instanceof UnsupportedParamsError) return error.message;
      throw error;
    }
    return 'taken';
  }

  return { planned, refused };
}
