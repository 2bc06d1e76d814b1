//! HTTP/1.1 on one connection: a request out, the whole response in.

use std::ops::Range;
use std::time::{Duration, Instant};
use ycsb_plugin_api::abi::status;
use ycsb_plugin_api::{Deadline, Failure};
use ycsb_plugin_common::Link;

/// First size of the buffer; a record of the usual kilobyte fits with its head.
const BUFFER_BYTES: usize = 8 * 1024;
/// A buffer that grew beyond this is given back before the next request.
const KEPT_BYTES: usize = 1024 * 1024;
const LARGEST_HEAD_BYTES: usize = 64 * 1024;
const LARGEST_BODY_BYTES: usize = 1024 * 1024 * 1024;
const HEADERS: usize = 64;
/// After a pause this long, look whether the other side has hung up before a request is sent.
const IDLE: Duration = Duration::from_secs(1);

/// A connection that is kept alive.
pub(crate) struct Connection {
    link: Link,
    input: Vec<u8>,
    filled: usize,
    /// Body of a response that came in chunks.
    joined: Vec<u8>,
    body: Body,
    last_used: Instant,
    /// Whether a response has come over it.
    used: bool,
    /// Whether it can take another request.
    usable: bool,
}

#[derive(Clone)]
enum Body {
    Within(Range<usize>),
    Joined,
}

/// What the head of a response says.
struct Head {
    status: u16,
    bytes: usize,
    framing: Framing,
    close: bool,
}

enum Framing {
    Length(usize),
    Chunks,
    /// Until the connection ends.
    End,
}

/// Why there is no response.
pub(crate) struct Broken {
    pub(crate) failure: Failure,
    /// The other side closed a connection that had carried responses before, and sent nothing for this request: it was
    /// probably closed before the request arrived.
    pub(crate) hung_up: bool,
}

impl Connection {
    pub(crate) fn new(link: Link) -> Connection {
        Connection {
            link,
            input: vec![0; BUFFER_BYTES],
            filled: 0,
            joined: Vec::new(),
            body: Body::Joined,
            last_used: Instant::now(),
            used: false,
            usable: true,
        }
    }

    /// Whether a request can be sent.
    pub(crate) fn is_usable(&self) -> bool {
        self.usable && (self.last_used.elapsed() < IDLE || self.link.is_quiet())
    }

    /// Sends a request and reads the response: its status. The body is there until the next exchange.
    pub(crate) fn exchange(&mut self, request: &[u8], deadline: Deadline) -> Result<u16, Broken> {
        self.filled = 0;
        self.usable = false;
        if self.input.len() > KEPT_BYTES {
            self.input = vec![0; BUFFER_BYTES];
        }
        self.joined = Vec::new();
        let status = self.attempt(request, deadline).map_err(|failure| Broken {
            hung_up: self.used && self.filled == 0 && failure.status() == status::SERVICE_UNAVAILABLE,
            failure,
        })?;
        self.used = true;
        self.last_used = Instant::now();
        Ok(status)
    }

    /// The body of the last response.
    pub(crate) fn body(&self) -> &[u8] {
        match &self.body {
            Body::Within(range) => &self.input[range.clone()],
            Body::Joined => &self.joined,
        }
    }

    fn attempt(&mut self, request: &[u8], deadline: Deadline) -> Result<u16, Failure> {
        self.link.begin(deadline)?;
        self.link.write_all(request)?;
        let head = self.read_head()?;
        let end = match head.framing {
            Framing::Length(length) => {
                let end = head.bytes + length;
                if self.input.len() < end {
                    self.input.resize(end, 0);
                }
                while self.filled < end {
                    self.read_more()?;
                }
                self.body = Body::Within(head.bytes..end);
                end
            }
            Framing::Chunks => {
                self.body = Body::Joined;
                self.read_chunks(head.bytes)?
            }
            Framing::End => {
                while self.read_more().is_ok() {}
                self.body = Body::Within(head.bytes..self.filled);
                self.filled
            }
        };
        if self.filled != end {
            return Err(strange("sent more than one response for one request"));
        }
        self.usable = !head.close;
        Ok(head.status)
    }

    fn read_more(&mut self) -> Result<(), Failure> {
        if self.filled == self.input.len() {
            self.input.resize(self.input.len() * 2, 0);
        }
        self.filled += self.link.read(&mut self.input[self.filled..])?;
        Ok(())
    }

    fn read_head(&mut self) -> Result<Head, Failure> {
        loop {
            self.read_more()?;
            if let Some(head) = parse_head(&self.input[..self.filled])? {
                return Ok(head);
            }
            if self.filled > LARGEST_HEAD_BYTES {
                return Err(strange("the head of the response is longer than 64 KiB"));
            }
        }
    }

    /// Joins the chunks of a body that starts at `at`; returns where the response ends.
    fn read_chunks(&mut self, mut at: usize) -> Result<usize, Failure> {
        let not_chunks = || strange("the chunks of the response are malformed");
        loop {
            let size = loop {
                match httparse::parse_chunk_size(&self.input[at..self.filled]) {
                    Ok(httparse::Status::Complete((bytes, size))) => {
                        at += bytes;
                        break usize::try_from(size).unwrap_or(usize::MAX);
                    }
                    Ok(httparse::Status::Partial) => self.read_more()?,
                    Err(_) => return Err(not_chunks()),
                }
            };
            if size == 0 {
                return self.skip_trailers(at);
            }
            if size > LARGEST_BODY_BYTES {
                return Err(not_chunks());
            }
            let end = at + size;
            while self.filled < end + 2 {
                self.read_more()?;
            }
            if &self.input[end..end + 2] != b"\r\n" {
                return Err(not_chunks());
            }
            self.joined.extend_from_slice(&self.input[at..end]);
            at = end + 2;
        }
    }

    fn skip_trailers(&mut self, mut at: usize) -> Result<usize, Failure> {
        loop {
            match self.input[at..self.filled].windows(2).position(|pair| pair == b"\r\n") {
                Some(0) => return Ok(at + 2),
                Some(line) => at += line + 2,
                None => self.read_more()?,
            }
        }
    }
}

#[cold]
fn strange(what: &str) -> Failure {
    Failure::error(what)
}

/// The head at the start of `input`, if all of it is there.
fn parse_head(input: &[u8]) -> Result<Option<Head>, Failure> {
    let mut headers = [httparse::EMPTY_HEADER; HEADERS];
    let mut response = httparse::Response::new(&mut headers);
    let bytes = match response.parse(input) {
        Ok(httparse::Status::Complete(bytes)) => bytes,
        Ok(httparse::Status::Partial) => return Ok(None),
        Err(_) => {
            return Err(strange(
                "answers something else than HTTP; is it the right port, with or without TLS?",
            ));
        }
    };
    let status = response.code.unwrap_or_default();
    let mut framing = None;
    let mut close = response.version == Some(0);
    for header in response.headers.iter() {
        if header.name.eq_ignore_ascii_case("content-length") {
            let length = std::str::from_utf8(header.value).ok().and_then(|text| text.trim().parse().ok());
            let length = length.filter(|length| *length <= LARGEST_BODY_BYTES);
            let length = length.ok_or_else(|| strange("the response is said to be longer than 1 GiB"))?;
            framing = framing.or(Some(Framing::Length(length)));
        } else if header.name.eq_ignore_ascii_case("transfer-encoding") {
            framing = Some(Framing::Chunks);
        } else if header.name.eq_ignore_ascii_case("connection") {
            close |= header.value.eq_ignore_ascii_case(b"close");
        }
    }
    if status == 204 || status == 304 {
        framing = Some(Framing::Length(0));
    }
    let close = close || framing.is_none();
    Ok(Some(Head { status, bytes, framing: framing.unwrap_or(Framing::End), close }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Write};
    use std::net::TcpListener;
    use ycsb_plugin_common::{Endpoint, Interrupt, TimeLimits};

    const NO_DEADLINE: Deadline = Deadline::at_ns(0);

    /// Connects to a server that answers one request with these pieces and closes the connection.
    fn answer(pieces: &'static [&'static [u8]]) -> Result<(u16, Vec<u8>, bool), String> {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let server = std::thread::spawn(move || {
            let (mut socket, _) = listener.accept().unwrap();
            let _ = socket.read(&mut [0; 64]).unwrap();
            for piece in pieces {
                socket.write_all(piece).unwrap();
                socket.flush().unwrap();
            }
        });
        let limits = TimeLimits {
            connect: None,
            silence: None,
            connect_property: "",
            silence_property: "",
            interrupt: Interrupt::default(),
        };
        let link = Link::connect(&Endpoint::tcp("127.0.0.1", port), &limits, NO_DEADLINE).unwrap();
        let mut connection = Connection::new(link);
        let answer = connection.exchange(b"GET / HTTP/1.1\r\n\r\n", NO_DEADLINE);
        server.join().unwrap();
        match answer {
            Ok(status) => Ok((status, connection.body().to_vec(), connection.usable)),
            Err(broken) => Err(broken.failure.text().to_owned()),
        }
    }

    #[test]
    fn a_body_of_given_length_is_read_to_its_end() {
        let answer = answer(&[b"HTTP/1.1 200 OK\r\nContent-Len", b"gth: 5\r\n\r\nhe", b"llo"]).unwrap();
        assert_eq!(answer, (200, b"hello".to_vec(), true));
    }

    #[test]
    fn chunks_are_joined_and_trailers_skipped() {
        let pieces: &[&[u8]] = &[
            b"HTTP/1.1 404 No\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r",
            b"\n2;x=y\r\nde\r\n0\r\nT: v\r\n\r\n",
        ];
        assert_eq!(answer(pieces).unwrap(), (404, b"abcde".to_vec(), true));
    }

    #[test]
    fn a_body_without_length_ends_with_the_connection() {
        assert_eq!(answer(&[b"HTTP/1.0 503 No\r\n\r\ngone"]).unwrap(), (503, b"gone".to_vec(), false));
    }

    #[test]
    fn a_connection_that_will_be_closed_takes_no_further_request() {
        let answer = answer(&[b"HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"]).unwrap();
        assert_eq!(answer, (200, vec![], false));
    }

    #[test]
    fn a_cut_off_response_is_an_error() {
        let error = answer(&[b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf"]).unwrap_err();
        assert!(error.ends_with("closed the connection"), "{error}");
    }

    #[test]
    fn something_else_than_http_is_named() {
        assert!(answer(&[b"\x15\x03\x01\x00\x02\x02\x0a"]).unwrap_err().contains("something else than HTTP"));
    }

    #[test]
    fn two_responses_for_one_request_are_an_error() {
        let pieces: &[&[u8]] = &[b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\nHTTP/1.1 200 OK\r\n"];
        assert!(answer(pieces).unwrap_err().contains("more than one response"));
    }
}
