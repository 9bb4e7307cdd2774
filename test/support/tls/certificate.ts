/** Keys and certificates of tests, made by OpenSSL. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/**
 * A key and a certificate, `<name>.key` and `<name>.crt` in `folder`: of a new authority, or signed by one.
 * @param subject its common name
 */
export function certificate(folder: string, name: string, subject: string, signer?: string): void {
  const [key, file] = [join(folder, `${name}.key`), join(folder, `${name}.crt`)];
  const signed =
    signer === undefined ? [] : ['-CA', join(folder, `${signer}.crt`), '-CAkey', join(folder, `${signer}.key`)];
  const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  // An end's certificate must not be an authority's: Temporal's client refuses it.
  const ends = ['-addext', 'subjectAltName=IP:127.0.0.1', '-addext', 'basicConstraints=critical,CA:FALSE'];
  const further = signer === undefined ? [] : ends;
  execFileSync(
    'openssl',
    [...request, '-subj', `/CN=${subject}`, '-keyout', key, '-out', file, ...signed, ...further],
    {
      stdio: 'ignore',
    },
  );
}
