import { use, type ReactElement } from 'react';
import { LiveContext } from '../../app/use-live.ts';

/** Turns the live tail on and off. The dot shows whether new entries arrive at once, or every few seconds. */
export function FollowSwitch({ isOn, onChange }: { isOn: boolean; onChange: (isOn: boolean) => void }): ReactElement {
  const isLive = use(LiveContext);
  return (
    <button
      type="button"
      role="switch"
      aria-checked={isOn}
      className="button gap-2"
      title={isLive ? 'New requests appear at once' : 'New requests appear every few seconds'}
      onClick={() => onChange(!isOn)}
    >
      <span
        aria-hidden
        className={`size-2 rounded-full ${isOn ? (isLive ? 'bg-ok live-dot' : 'bg-warn') : 'bg-muted opacity-50'}`}
      />
      Follow
    </button>
  );
}
