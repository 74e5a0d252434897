import { expect, it } from 'vitest';
import { lancePlace } from './object-store.js';

it('S0.5 the options of an object store stand in its URL', () => {
  expect(lancePlace('s3://bucket/kb?region=eu-1&endpoint=http%3A%2F%2Flocalhost%3A9000')).toEqual({
    uri: 's3://bucket/kb',
    options: { region: 'eu-1', endpoint: 'http://localhost:9000' },
  });
  expect(lancePlace('s3://bucket/kb')).toEqual({ uri: 's3://bucket/kb' });
  expect(lancePlace('/home/ada/what?/kb')).toEqual({ uri: '/home/ada/what?/kb' });
});

it('B8 no secret stands in a place, and none is repeated', () => {
  for (const name of [
    'aws_secret_access_key',
    'aws_access_key_id',
    'AWS_SESSION_TOKEN',
    'azure_storage_account_key',
  ]) {
    const open = () => lancePlace(`s3://bucket/kb?${name}=pa55word`);
    expect(open).toThrow(name);
    expect(open).not.toThrow(/pa55word/);
  }
});
