/** TLS handshakes that fail, so that the request is never sent. */

/** Node's codes for certificates that it does not accept (nodejs.org/api/tls.html, X509 certificate error codes). */
const certificateCodes: ReadonlySet<string> = new Set([
  'CERT_CHAIN_TOO_LONG',
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'CERT_REJECTED',
  'CERT_REVOKED',
  'CERT_SIGNATURE_FAILURE',
  'CERT_UNTRUSTED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'HOSTNAME_MISMATCH',
  'INVALID_CA',
  'INVALID_PURPOSE',
  'PATH_LENGTH_EXCEEDED',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** The other side has no TLS, or no version of it in common with this one. */
const protocolCodes: ReadonlySet<string> = new Set([
  'ERR_SSL_PACKET_LENGTH_TOO_LONG',
  'ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE',
  'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION',
  'ERR_SSL_UNSUPPORTED_PROTOCOL',
  'ERR_SSL_WRONG_VERSION_NUMBER',
]);

/** What is wrong and what to do; null for a code of another failure. */
export function tlsRefusal(code: string): string | null {
  if (certificateCodes.has(code))
    return (
      `this machine does not trust its certificate (${code}); correct the address, or name the file of its ` +
      'issuer’s certificate in NODE_EXTRA_CA_CERTS'
    );
  if (protocolCodes.has(code))
    return `it does not answer in TLS (${code}); write http:// if it has none, or correct the address`;
  return null;
}
