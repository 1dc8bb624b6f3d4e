"""What tests share: services and worlds on them, clients, speakers, samples. Holds no test."""
