/** Requests that come while others are under way are sent together. */

const mostInGroup = 256;
const mostUnderWay = 4;

/**
 * @param send answers a group, in order; if it rejects, the whole group does
 * @returns asks for one, which is sent with others at the end of the turn or when a group has ended
 */
export function grouped<Request, Answer>(
  send: (requests: readonly Request[]) => Promise<readonly Answer[]>,
): (request: Request) => Promise<Answer> {
  const waiting: { readonly request: Request; readonly answer: PromiseWithResolvers<Answer> }[] = [];
  let underWay = 0;

  async function sendNext(): Promise<void> {
    if (underWay >= mostUnderWay || waiting.length === 0) return;
    const group = waiting.splice(0, mostInGroup);
    underWay += 1;
    try {
      const answers = await send(group.map(({ request }) => request));
      for (const [place, { answer }] of group.entries()) answer.resolve(answers[place] as Answer);
    } catch (error) {
      for (const { answer } of group) answer.reject(error);
    }
    underWay -= 1;
    void sendNext();
  }

  return (request) => {
    const answer = Promise.withResolvers<Answer>();
    waiting.push({ request, answer });
    if (waiting.length === 1) setImmediate(() => void sendNext());
    return answer.promise;
  };
}

/**
 * As `grouped`, for a function of the server that takes a run and an array of requests, each with its place, and
 * returns an array of answers, each with the place of its request.
 */
export const groupedCall = <Request extends object, Answer>(
  ask: (requests: string) => Promise<readonly { readonly answers?: unknown }[]>,
): ((request: Request) => Promise<Answer>) =>
  grouped(async (requests) => {
    const [row] = await ask(JSON.stringify(requests.map((request, place) => ({ place, ...request }))));
    const answers: Answer[] = [];
    for (const { place, ...answer } of (row?.answers ?? []) as readonly { readonly place: number }[])
      answers[place] = answer as Answer;
    return answers;
  });
