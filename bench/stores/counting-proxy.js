// A proxy before a server that counts round trips: a client that sends after it has heard, waits once more. With
// `delay_ms` each direction takes that long, as a network would.
import { connect, createServer } from 'node:net';

export async function countingProxy(url, delay_ms = 0) {
  const target = new URL(url);
  const counted = { trips: 0, bytes: 0 };
  const later = (run) => (delay_ms > 0 ? setTimeout(run, delay_ms) : run());
  const server = createServer((client) => {
    const upstream = connect(Number(target.port || 5432), target.hostname);
    for (const socket of [client, upstream]) socket.setNoDelay(true);
    let hasHeard = true;
    client.on('data', (data) => {
      if (hasHeard) counted.trips++;
      hasHeard = false;
      later(() => upstream.write(data));
    });
    upstream.on('data', (data) => {
      hasHeard = true;
      counted.bytes += data.length;
      later(() => client.write(data));
    });
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ])
      one.on('close', () => other.destroy()).on('error', () => other.destroy());
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const through = new URL(url);
  through.hostname = '127.0.0.1';
  through.port = String(server.address().port);
  return { url: through.href, counted, close: () => server.close() };
}
