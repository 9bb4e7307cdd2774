/** Follows a run on the server of this page: its facts as they change, its results when there are newer ones. */
import { exchange, remember } from './exchange.js';

const live = document.getElementById('live');
const lost = document.getElementById('live-lost');
const report = document.getElementById('live-report');

const parsed = (markup) => new DOMParser().parseFromString(markup, 'text/html').body;

let [shownRevision, isFetching] = [report?.dataset.revision ?? '0', false];

/** Fetches the newest page, one at a time; a revision that comes meanwhile is fetched after it. */
const fetchReport = async (revision) => {
  if (isFetching || revision === shownRevision) return;
  isFetching = true;
  try {
    const answer = await fetch('report');
    if (!answer.ok) return;
    const examples = document.getElementById('example-data')?.textContent;
    exchange(report, parsed(await answer.text()));
    shownRevision = answer.headers.get('x-revision');
    document.dispatchEvent(new Event('pages-changed'));
    if (document.getElementById('example-data')?.textContent !== examples)
      document.dispatchEvent(new Event('examples-changed'));
  } finally {
    isFetching = false;
  }
};

let source = null;
const connect = () => {
  source = new EventSource('events');
  source.addEventListener('facts', ({ data }) => {
    lost.hidden = true;
    exchange(live, parsed(JSON.parse(data)));
  });
  source.addEventListener('revision', ({ data }) => void fetchReport(data).catch(() => {}));
  source.addEventListener('error', () => {
    lost.hidden = false;
    // A refusal is final for the browser, but not for this page: the server may have been started anew.
    if (source.readyState === EventSource.CLOSED) setTimeout(connect, 5_000);
  });
};

if (live) {
  remember(document.body);
  remember(live);
  if (report) remember(report);
  connect();
  // A browser has few connections to one host: a page that is not seen gives its one back.
  document.addEventListener('visibilitychange', () => {
    source.close();
    if (document.visibilityState === 'visible') connect();
  });
}
