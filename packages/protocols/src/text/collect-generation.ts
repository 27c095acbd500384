import type { Choice, Generation, StreamEvent } from '@sluice/canonical';

export interface Collector {
  add(event: StreamEvent): void;
  generation(): Generation;
}

/** Which blocks to collect. `reasoning` includes calls. */
export type CollectedPart = 'all' | 'reasoning';

/** Collects a stream's events into a complete response. */
export function createCollector(part: CollectedPart = 'all'): Collector {
  let start = { id: '', model: '' };
  let usage: Generation['usage'];
  let serviceTier: Generation['serviceTier'];
  // Choices by index. Vendors can skip indexes.
  const choices = new Map<number, Choice>();

  function choiceAt(index: number): Choice {
    const known: Choice = choices.get(index) ?? { content: [], finish: 'other' };
    choices.set(index, known);
    return known;
  }

  return {
    add: (event) => {
      switch (event.type) {
        case 'start':
          start = { id: event.id, model: event.model };
          usage = event.usage;
          break;
        case 'block-end': {
          const { type } = event.block;
          const isCollected = part === 'all' || type === 'reasoning' || type === 'tool-call';
          if (isCollected) choiceAt(event.choice).content.push(event.block);
          break;
        }
        case 'finish': {
          const { finish, stopSequence, detail } = event;
          Object.assign(choiceAt(event.choice), { finish, stopSequence, detail });
          break;
        }
        case 'service-tier':
          ({ serviceTier } = event);
          break;
        case 'usage':
          usage = event.usage;
          break;
        case 'block-start':
        case 'delta':
        case 'ping':
        case 'error':
        case 'end':
          break;
      }
    },
    generation: () => {
      const inOrder = [...choices].toSorted(([one], [other]) => one - other).map(([, choice]) => choice);
      return { ...start, choices: inOrder, usage, serviceTier };
    },
  };
}
