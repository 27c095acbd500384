import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import type { GroupDetails, GroupVideo } from '../../api/groups.ts';
import { fileUrl } from '../../api/tasks.ts';
import { MessageText } from '../../components/message-text.tsx';
import { Section } from '../../components/page-head.tsx';
import { Pages } from '../../components/pages.tsx';
import { useVisible } from '../../lib/use-visible.ts';
import { VideoStatus } from './group-status.tsx';

const route = getRouteApi('/groups/$id');

/** A page of the videos of a group. The browser loads a video when it comes into view. */
export function VideoGrid({ videos: { data, next } }: Pick<GroupDetails, 'videos'>): ReactElement {
  const { after } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Section title="Videos">
      <ul className="grid items-start gap-4 p-4 sm:grid-cols-2 xl:grid-cols-3">
        {data.map((video) => (
          <VideoCard key={video.index} video={video} />
        ))}
      </ul>
      {(after !== undefined || next !== undefined) && (
        <div className="border-t border-line p-3">
          <Pages
            isFirst={after === undefined}
            next={next}
            titles={{ first: 'First videos', next: 'Next videos' }}
            onGo={(to) => void navigate({ search: { after: to } })}
          />
        </div>
      )}
    </Section>
  );
}

function VideoCard({ video }: { video: GroupVideo }): ReactElement {
  const { index, state, video_id: id, model, error, retries } = video;
  const [ref, isVisible] = useVisible<HTMLLIElement>();
  return (
    <li ref={ref} className="flex min-w-0 flex-col overflow-hidden rounded-md border border-line">
      <div className="aspect-video bg-raised">
        {isVisible && state === 'completed' && id !== null ? (
          <Preview id={id} index={index} />
        ) : (
          <div className="flex size-full items-center justify-center p-3">
            <VideoStatus {...video} />
          </div>
        )}
      </div>
      <div className="flex flex-col gap-1 p-3 text-xs">
        <span className="flex items-center justify-between gap-2">
          {id === null ? (
            <span className="font-medium">Video {index + 1}</span>
          ) : (
            <Link to="/tasks/$id" params={{ id }} className="font-medium text-accent hover:underline">
              Video {index + 1}
            </Link>
          )}
          {state === 'completed' && <VideoStatus {...video} />}
        </span>
        <span className="truncate text-muted">
          {model ?? 'Its task is created when the key has room'}
          {retries > 0 && ` · retried ${retries === 1 ? 'once' : `${retries} times`}`}
        </span>
        {error && (
          <span className="line-clamp-3 break-words text-bad">
            <MessageText text={error.message} />
          </span>
        )}
      </div>
    </li>
  );
}

function Preview({ id, index }: { id: string; index: number }): ReactElement {
  const [hasFailed, setFailed] = useState(false);
  if (hasFailed) {
    return <p className="flex h-full items-center justify-center p-4 text-muted">The file cannot be shown.</p>;
  }
  return (
    // Generated videos have no captions.
    <video
      controls
      preload="metadata"
      src={fileUrl(id, 0)}
      aria-label={`Video ${index + 1}`}
      className="size-full object-contain"
      onError={() => setFailed(true)}
    >
      <track kind="captions" />
    </video>
  );
}
