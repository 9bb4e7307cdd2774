/** Chooses the next waiting call: models take turns, so that all of them progress together. */
/** Place of a call among those that wait. */
export interface Turn {
  /** The model under study: models take turns. */
  readonly model: string;
  /** Within one model, calls of the lowest rank go first, then in order of arrival. */
  readonly rank: number;
}

export interface Turns<Call> {
  add(call: Call): void;
  /** Removes the next calls, at most `most`, each of the model with the fewest in flight; in flight until `ended`. */
  take(most: number): Call[];
  /** Puts the last `count` calls of the latest `take` back to their places: they did not start after all. */
  putBack(count: number): void;
  ended(turn: Turn): void;
  takeWhere(isWanted: (call: Call) => boolean): Call[];
  takeAll(): Call[];
  size(): number;
}

interface Lane<Call> {
  /** By rank, then in the order of arrival. */
  waiting: Call[];
  inFlight: number;
  /** Calls of all models that had started when this model's last one did. */
  servedAt: number;
}

interface Taken<Call> {
  readonly call: Call;
  readonly lane: Lane<Call>;
  /** The lane's, before. */
  readonly servedAt: number;
}

export function createTurns<Call extends { readonly turn: Turn }>(): Turns<Call> {
  const lanes = new Map<string, Lane<Call>>();
  let size = 0;
  let served = 0;
  let latest: Taken<Call>[] = [];

  const laneOf = ({ model }: Turn): Lane<Call> => {
    const lane = lanes.get(model) ?? { waiting: [], inFlight: 0, servedAt: 0 };
    lanes.set(model, lane);
    return lane;
  };

  function takeWhere(isWanted: (call: Call) => boolean): Call[] {
    const taken = [...lanes.values()].flatMap(({ waiting }) => waiting.filter(isWanted));
    if (taken.length === 0) return taken;
    const gone = new Set(taken);
    for (const lane of lanes.values()) lane.waiting = lane.waiting.filter((call) => !gone.has(call));
    size -= taken.length;
    return taken;
  }

  return {
    add(call) {
      const { waiting } = laneOf(call.turn);
      waiting.splice(waiting.findLastIndex((other) => other.turn.rank <= call.turn.rank) + 1, 0, call);
      size += 1;
    },
    take(most) {
      latest = [];
      while (latest.length < most) {
        const lane = nextLane(lanes.values());
        const call = lane?.waiting.shift();
        if (lane === undefined || call === undefined) break;
        latest.push({ call, lane, servedAt: lane.servedAt });
        lane.inFlight += 1;
        served += 1;
        lane.servedAt = served;
        size -= 1;
      }
      return latest.map(({ call }) => call);
    },
    putBack(count) {
      for (const { call, lane, servedAt } of latest.splice(latest.length - count).reverse()) {
        const place = lane.waiting.findIndex((other) => other.turn.rank >= call.turn.rank);
        lane.waiting.splice(place === -1 ? lane.waiting.length : place, 0, call);
        lane.inFlight -= 1;
        lane.servedAt = servedAt;
        size += 1;
      }
    },
    ended(turn) {
      laneOf(turn).inFlight -= 1;
    },
    takeWhere,
    takeAll: () => takeWhere(() => true),
    size: () => size,
  };
}

function nextLane<Call>(lanes: Iterable<Lane<Call>>): Lane<Call> | undefined {
  let next: Lane<Call> | undefined;
  for (const lane of lanes) if (lane.waiting.length > 0 && (next === undefined || isBefore(lane, next))) next = lane;
  return next;
}

const isBefore = (a: Lane<unknown>, b: Lane<unknown>): boolean =>
  a.inFlight < b.inFlight || (a.inFlight === b.inFlight && a.servedAt < b.servedAt);
